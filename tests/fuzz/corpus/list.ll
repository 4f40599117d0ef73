; ModuleID = 'list.c'
source_filename = "list.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux5.10.0-gnu2.31.0"

%struct.thrd_t = type { i64 }
%struct.node = type { ptr, [6 x i8], i16 }

@.str = private unnamed_addr constant [4 x i8] c"abc\00", align 1, !dbg !0
@.str.1 = private unnamed_addr constant [4 x i8] c"xyz\00", align 1, !dbg !7
@head = internal global ptr null, align 8, !dbg !9
@.str.2 = private unnamed_addr constant [10 x i8] c"%u %d %s\0A\00", align 1, !dbg !22
@.str.3 = private unnamed_addr constant [4 x i8] c"end\00", align 1, !dbg !27

; Function Attrs: noinline nounwind sspstrong uwtable
define i32 @main() #0 !dbg !46 {
  %1 = alloca i32, align 4
  %2 = alloca %struct.thrd_t, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  store i32 0, ptr %1, align 4
    #dbg_declare(ptr %2, !50, !DIExpression(), !56)
    #dbg_declare(ptr %3, !57, !DIExpression(), !58)
  store i32 0, ptr %3, align 4, !dbg !58
  %7 = call i32 @thrd_create(ptr noundef %2, ptr noundef @push, ptr noundef @.str), !dbg !59
  %8 = call i32 @push(ptr noundef @.str.1), !dbg !60
  %9 = getelementptr inbounds nuw %struct.thrd_t, ptr %2, i32 0, i32 0, !dbg !61
  %10 = load i64, ptr %9, align 8, !dbg !61
  %11 = call i32 @thrd_join(i64 %10, ptr noundef %3), !dbg !61
    #dbg_declare(ptr %4, !62, !DIExpression(), !64)
  store i32 0, ptr %4, align 4, !dbg !64
    #dbg_declare(ptr %5, !65, !DIExpression(), !67)
  %12 = load atomic ptr, ptr @head seq_cst, align 8, !dbg !68
  store ptr %12, ptr %5, align 8, !dbg !67
    #dbg_declare(ptr %6, !69, !DIExpression(), !70)
  br label %13, !dbg !71

13:                                               ; preds = %27, %0
  %14 = load ptr, ptr %5, align 8, !dbg !72
  %15 = icmp ne ptr %14, null, !dbg !74
  br i1 %15, label %16, label %29, !dbg !74

16:                                               ; preds = %13
  %17 = load ptr, ptr %5, align 8, !dbg !75
  %18 = getelementptr inbounds nuw %struct.node, ptr %17, i32 0, i32 0, !dbg !77
  %19 = load ptr, ptr %18, align 8, !dbg !77
  store ptr %19, ptr %6, align 8, !dbg !78
  %20 = load ptr, ptr %5, align 8, !dbg !79
  %21 = getelementptr inbounds nuw %struct.node, ptr %20, i32 0, i32 2, !dbg !80
  %22 = load i16, ptr %21, align 2, !dbg !80
  %23 = zext i16 %22 to i32, !dbg !79
  %24 = load i32, ptr %4, align 4, !dbg !81
  %25 = add i32 %24, %23, !dbg !81
  store i32 %25, ptr %4, align 4, !dbg !81
  %26 = load ptr, ptr %5, align 8, !dbg !82
  call void @free(ptr noundef %26) #5, !dbg !83
  br label %27, !dbg !84

27:                                               ; preds = %16
  %28 = load ptr, ptr %6, align 8, !dbg !85
  store ptr %28, ptr %5, align 8, !dbg !86
  br label %13, !dbg !87, !llvm.loop !88

29:                                               ; preds = %13
  %30 = load i32, ptr %4, align 4, !dbg !91
  %31 = load i32, ptr %3, align 4, !dbg !92
  %32 = call i32 (ptr, ...) @printf(ptr noundef @.str.2, i32 noundef %30, i32 noundef %31, ptr noundef @.str.3), !dbg !93
  %33 = load i32, ptr %4, align 4, !dbg !94
  %34 = urem i32 %33, 3, !dbg !95
  switch i32 %34, label %44 [
    i32 0, label %35
    i32 1, label %36
  ], !dbg !96

35:                                               ; preds = %29
  store i32 0, ptr %1, align 4, !dbg !97
  br label %45, !dbg !97

36:                                               ; preds = %29
  %37 = load i32, ptr %4, align 4, !dbg !99
  %38 = udiv i32 %37, 7, !dbg !100
  %39 = uitofp i32 %38 to double, !dbg !99
  %40 = fmul double %39, 2.500000e+00, !dbg !101
  %41 = fptosi double %40 to i32, !dbg !102
  %42 = icmp slt i32 %41, 0, !dbg !103
  %43 = zext i1 %42 to i32, !dbg !103
  store i32 %43, ptr %1, align 4, !dbg !104
  br label %45, !dbg !104

44:                                               ; preds = %29
  store i32 0, ptr %1, align 4, !dbg !105
  br label %45, !dbg !105

45:                                               ; preds = %44, %36, %35
  %46 = load i32, ptr %1, align 4, !dbg !106
  ret i32 %46, !dbg !106
}

declare i32 @thrd_create(ptr noundef, ptr noundef, ptr noundef) #1

; Function Attrs: noinline nounwind sspstrong uwtable
define internal i32 @push(ptr noundef %0) #0 !dbg !107 {
  %2 = alloca i32, align 4
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i8, align 1
  store ptr %0, ptr %3, align 8
    #dbg_declare(ptr %3, !108, !DIExpression(), !109)
    #dbg_declare(ptr %4, !110, !DIExpression(), !111)
  %8 = call noalias ptr @malloc(i64 noundef 16) #6, !dbg !112
  store ptr %8, ptr %4, align 8, !dbg !111
  %9 = load ptr, ptr %4, align 8, !dbg !113
  %10 = icmp ne ptr %9, null, !dbg !113
  br i1 %10, label %12, label %11, !dbg !115

11:                                               ; preds = %1
  store i32 1, ptr %2, align 4, !dbg !116
  br label %47, !dbg !116

12:                                               ; preds = %1
  %13 = load ptr, ptr %4, align 8, !dbg !117
  %14 = getelementptr inbounds nuw %struct.node, ptr %13, i32 0, i32 1, !dbg !118
  %15 = getelementptr inbounds [6 x i8], ptr %14, i64 0, i64 0, !dbg !119
  %16 = load ptr, ptr %3, align 8, !dbg !120
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %15, ptr align 1 %16, i64 4, i1 false), !dbg !119
  %17 = load ptr, ptr %4, align 8, !dbg !121
  %18 = getelementptr inbounds nuw %struct.node, ptr %17, i32 0, i32 1, !dbg !122
  %19 = getelementptr inbounds [6 x i8], ptr %18, i64 0, i64 0, !dbg !121
  %20 = load i8, ptr %19, align 8, !dbg !121
  %21 = sext i8 %20 to i32, !dbg !121
  %22 = shl i32 %21, 3, !dbg !123
  %23 = trunc i32 %22 to i16, !dbg !124
  %24 = load ptr, ptr %4, align 8, !dbg !125
  %25 = getelementptr inbounds nuw %struct.node, ptr %24, i32 0, i32 2, !dbg !126
  store i16 %23, ptr %25, align 2, !dbg !127
  %26 = load atomic i64, ptr @head seq_cst, align 8, !dbg !128
  store i64 %26, ptr %5, align 8, !dbg !128
  %27 = load ptr, ptr %5, align 8, !dbg !128
  %28 = load ptr, ptr %4, align 8, !dbg !129
  %29 = getelementptr inbounds nuw %struct.node, ptr %28, i32 0, i32 0, !dbg !130
  store ptr %27, ptr %29, align 8, !dbg !131
  br label %30, !dbg !132

30:                                               ; preds = %45, %12
  %31 = load ptr, ptr %4, align 8, !dbg !133
  %32 = getelementptr inbounds nuw %struct.node, ptr %31, i32 0, i32 0, !dbg !134
  %33 = load ptr, ptr %4, align 8, !dbg !135
  store ptr %33, ptr %6, align 8, !dbg !136
  %34 = load i64, ptr %32, align 8, !dbg !136
  %35 = load i64, ptr %6, align 8, !dbg !136
  %36 = cmpxchg weak ptr @head, i64 %34, i64 %35 seq_cst seq_cst, align 8, !dbg !136
  %37 = extractvalue { i64, i1 } %36, 0, !dbg !136
  %38 = extractvalue { i64, i1 } %36, 1, !dbg !136
  br i1 %38, label %40, label %39, !dbg !136

39:                                               ; preds = %30
  store i64 %37, ptr %32, align 8, !dbg !136
  br label %40, !dbg !136

40:                                               ; preds = %39, %30
  %41 = zext i1 %38 to i8, !dbg !136
  store i8 %41, ptr %7, align 1, !dbg !136
  %42 = load i8, ptr %7, align 1, !dbg !136
  %43 = trunc i8 %42 to i1, !dbg !136
  %44 = xor i1 %43, true, !dbg !137
  br i1 %44, label %45, label %46, !dbg !132

45:                                               ; preds = %40
  br label %30, !dbg !132, !llvm.loop !138

46:                                               ; preds = %40
  store i32 0, ptr %2, align 4, !dbg !140
  br label %47, !dbg !140

47:                                               ; preds = %46, %11
  %48 = load i32, ptr %2, align 4, !dbg !141
  ret i32 %48, !dbg !141
}

declare i32 @thrd_join(i64, ptr noundef) #1

; Function Attrs: nounwind
declare void @free(ptr noundef) #2

declare i32 @printf(ptr noundef, ...) #1

; Function Attrs: nounwind allocsize(0)
declare noalias ptr @malloc(i64 noundef) #3

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #4

attributes #0 = { noinline nounwind sspstrong uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="4" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="4" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="4" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind allocsize(0) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="4" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #5 = { nounwind }
attributes #6 = { nounwind allocsize(0) }

!llvm.dbg.cu = !{!11}
!llvm.module.flags = !{!39, !40, !41, !42, !43, !44}
!llvm.ident = !{!45}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(scope: null, file: !2, line: 29, type: !3, isLocal: true, isDefinition: true)
!2 = !DIFile(filename: "list.c", directory: ".")
!3 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 32, elements: !5)
!4 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!5 = !{!6}
!6 = !DISubrange(count: 4)
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = distinct !DIGlobalVariable(scope: null, file: !2, line: 30, type: !3, isLocal: true, isDefinition: true)
!9 = !DIGlobalVariableExpression(var: !10, expr: !DIExpression())
!10 = distinct !DIGlobalVariable(name: "head", scope: !11, file: !2, line: 13, type: !29, isLocal: true, isDefinition: true)
!11 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !12, globals: !21, splitDebugInlining: false, nameTableKind: None)
!12 = !{!13, !18, !20}
!13 = !DIDerivedType(tag: DW_TAG_typedef, name: "thrd_start_t", file: !14, line: 20, baseType: !15)
!14 = !DIFile(filename: "src/porf/programs/c/include/threads.h", directory: ".")
!15 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !16, size: 64)
!16 = !DISubroutineType(types: !17)
!17 = !{!18, !19}
!18 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!19 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!20 = !DIBasicType(name: "unsigned short", size: 16, encoding: DW_ATE_unsigned)
!21 = !{!0, !7, !22, !27, !9}
!22 = !DIGlobalVariableExpression(var: !23, expr: !DIExpression())
!23 = distinct !DIGlobalVariable(scope: null, file: !2, line: 38, type: !24, isLocal: true, isDefinition: true)
!24 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 80, elements: !25)
!25 = !{!26}
!26 = !DISubrange(count: 10)
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(scope: null, file: !2, line: 38, type: !3, isLocal: true, isDefinition: true)
!29 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !30)
!30 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !31, size: 64)
!31 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", file: !2, line: 8, size: 128, elements: !32)
!32 = !{!33, !34, !38}
!33 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !31, file: !2, line: 9, baseType: !30, size: 64)
!34 = !DIDerivedType(tag: DW_TAG_member, name: "name", scope: !31, file: !2, line: 10, baseType: !35, size: 48, offset: 64)
!35 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 48, elements: !36)
!36 = !{!37}
!37 = !DISubrange(count: 6)
!38 = !DIDerivedType(tag: DW_TAG_member, name: "weight", scope: !31, file: !2, line: 11, baseType: !20, size: 16, offset: 112)
!39 = !{i32 7, !"Dwarf Version", i32 4}
!40 = !{i32 2, !"Debug Info Version", i32 3}
!41 = !{i32 1, !"wchar_size", i32 4}
!42 = !{i32 8, !"PIC Level", i32 2}
!43 = !{i32 7, !"uwtable", i32 2}
!44 = !{i32 7, !"frame-pointer", i32 2}
!45 = !{!"clang"}
!46 = distinct !DISubprogram(name: "main", scope: !2, file: !2, line: 26, type: !47, scopeLine: 26, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !11, retainedNodes: !49)
!47 = !DISubroutineType(types: !48)
!48 = !{!18}
!49 = !{}
!50 = !DILocalVariable(name: "t", scope: !46, file: !2, line: 27, type: !51)
!51 = !DIDerivedType(tag: DW_TAG_typedef, name: "thrd_t", file: !14, line: 17, baseType: !52)
!52 = distinct !DICompositeType(tag: DW_TAG_structure_type, file: !14, line: 15, size: 64, elements: !53)
!53 = !{!54}
!54 = !DIDerivedType(tag: DW_TAG_member, name: "priv", scope: !52, file: !14, line: 16, baseType: !55, size: 64)
!55 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!56 = !DILocation(line: 27, column: 10, scope: !46)
!57 = !DILocalVariable(name: "done", scope: !46, file: !2, line: 28, type: !18)
!58 = !DILocation(line: 28, column: 7, scope: !46)
!59 = !DILocation(line: 29, column: 3, scope: !46)
!60 = !DILocation(line: 30, column: 3, scope: !46)
!61 = !DILocation(line: 31, column: 3, scope: !46)
!62 = !DILocalVariable(name: "sum", scope: !46, file: !2, line: 32, type: !63)
!63 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!64 = !DILocation(line: 32, column: 12, scope: !46)
!65 = !DILocalVariable(name: "n", scope: !66, file: !2, line: 33, type: !30)
!66 = distinct !DILexicalBlock(scope: !46, file: !2, line: 33, column: 3)
!67 = !DILocation(line: 33, column: 21, scope: !66)
!68 = !DILocation(line: 33, column: 25, scope: !66)
!69 = !DILocalVariable(name: "next", scope: !66, file: !2, line: 33, type: !30)
!70 = !DILocation(line: 33, column: 32, scope: !66)
!71 = !DILocation(line: 33, column: 8, scope: !66)
!72 = !DILocation(line: 33, column: 38, scope: !73)
!73 = distinct !DILexicalBlock(scope: !66, file: !2, line: 33, column: 3)
!74 = !DILocation(line: 33, column: 3, scope: !66)
!75 = !DILocation(line: 34, column: 12, scope: !76)
!76 = distinct !DILexicalBlock(scope: !73, file: !2, line: 33, column: 51)
!77 = !DILocation(line: 34, column: 15, scope: !76)
!78 = !DILocation(line: 34, column: 10, scope: !76)
!79 = !DILocation(line: 35, column: 12, scope: !76)
!80 = !DILocation(line: 35, column: 15, scope: !76)
!81 = !DILocation(line: 35, column: 9, scope: !76)
!82 = !DILocation(line: 36, column: 10, scope: !76)
!83 = !DILocation(line: 36, column: 5, scope: !76)
!84 = !DILocation(line: 37, column: 3, scope: !76)
!85 = !DILocation(line: 33, column: 45, scope: !73)
!86 = !DILocation(line: 33, column: 43, scope: !73)
!87 = !DILocation(line: 33, column: 3, scope: !73)
!88 = distinct !{!88, !74, !89, !90}
!89 = !DILocation(line: 37, column: 3, scope: !66)
!90 = !{!"llvm.loop.mustprogress"}
!91 = !DILocation(line: 38, column: 24, scope: !46)
!92 = !DILocation(line: 38, column: 29, scope: !46)
!93 = !DILocation(line: 38, column: 3, scope: !46)
!94 = !DILocation(line: 39, column: 11, scope: !46)
!95 = !DILocation(line: 39, column: 15, scope: !46)
!96 = !DILocation(line: 39, column: 3, scope: !46)
!97 = !DILocation(line: 40, column: 13, scope: !98)
!98 = distinct !DILexicalBlock(scope: !46, file: !2, line: 39, column: 20)
!99 = !DILocation(line: 41, column: 26, scope: !98)
!100 = !DILocation(line: 41, column: 30, scope: !98)
!101 = !DILocation(line: 41, column: 34, scope: !98)
!102 = !DILocation(line: 41, column: 20, scope: !98)
!103 = !DILocation(line: 41, column: 41, scope: !98)
!104 = !DILocation(line: 41, column: 13, scope: !98)
!105 = !DILocation(line: 42, column: 14, scope: !98)
!106 = !DILocation(line: 44, column: 1, scope: !46)
!107 = distinct !DISubprogram(name: "push", scope: !2, file: !2, line: 15, type: !16, scopeLine: 15, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !11, retainedNodes: !49)
!108 = !DILocalVariable(name: "name", arg: 1, scope: !107, file: !2, line: 15, type: !19)
!109 = !DILocation(line: 15, column: 23, scope: !107)
!110 = !DILocalVariable(name: "n", scope: !107, file: !2, line: 16, type: !30)
!111 = !DILocation(line: 16, column: 16, scope: !107)
!112 = !DILocation(line: 16, column: 20, scope: !107)
!113 = !DILocation(line: 17, column: 8, scope: !114)
!114 = distinct !DILexicalBlock(scope: !107, file: !2, line: 17, column: 7)
!115 = !DILocation(line: 17, column: 7, scope: !114)
!116 = !DILocation(line: 17, column: 11, scope: !114)
!117 = !DILocation(line: 18, column: 10, scope: !107)
!118 = !DILocation(line: 18, column: 13, scope: !107)
!119 = !DILocation(line: 18, column: 3, scope: !107)
!120 = !DILocation(line: 18, column: 19, scope: !107)
!121 = !DILocation(line: 19, column: 32, scope: !107)
!122 = !DILocation(line: 19, column: 35, scope: !107)
!123 = !DILocation(line: 19, column: 43, scope: !107)
!124 = !DILocation(line: 19, column: 15, scope: !107)
!125 = !DILocation(line: 19, column: 3, scope: !107)
!126 = !DILocation(line: 19, column: 6, scope: !107)
!127 = !DILocation(line: 19, column: 13, scope: !107)
!128 = !DILocation(line: 20, column: 13, scope: !107)
!129 = !DILocation(line: 20, column: 3, scope: !107)
!130 = !DILocation(line: 20, column: 6, scope: !107)
!131 = !DILocation(line: 20, column: 11, scope: !107)
!132 = !DILocation(line: 21, column: 3, scope: !107)
!133 = !DILocation(line: 21, column: 48, scope: !107)
!134 = !DILocation(line: 21, column: 51, scope: !107)
!135 = !DILocation(line: 21, column: 57, scope: !107)
!136 = !DILocation(line: 21, column: 11, scope: !107)
!137 = !DILocation(line: 21, column: 10, scope: !107)
!138 = distinct !{!138, !132, !139, !90}
!139 = !DILocation(line: 22, column: 3, scope: !107)
!140 = !DILocation(line: 23, column: 3, scope: !107)
!141 = !DILocation(line: 24, column: 1, scope: !107)
